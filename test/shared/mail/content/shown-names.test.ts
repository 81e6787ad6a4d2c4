import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlFooter } from '../../../../shared/mail/content/footer.ts';
import { namesShownBy } from '../../../../shared/mail/content/shown-names.ts';

const cases: readonly [html: string, shown: string][] = [
  [
    '<p>{{sender_name}} {{ sender_address }}</p>{{sender_contact}}',
    'sender_name sender_address sender_contact',
  ],
  ['<p title="{{sender_name}}">x</p>', ''],
  ['<img src="https://a.example/a.png" alt="{{sender_address}}">', ''],
  ['<a href="{{unsubscribe_url}}">解除</a>', 'unsubscribe_url'],
  ['<a href="{{unsubscribe_url}}"><b>解除</b></a>', 'unsubscribe_url'],
  ['<a href="{{unsubscribe_url}}"><img src="https://a.example/a.png" alt="解除"></a>', 'unsubscribe_url'],
  ['<a href="{{unsubscribe_url}}"><img src="https://a.example/a.png" alt=""></a>', ''],
  ['<a href="{{unsubscribe_url}}"> </a>x', ''],
  ['<a href="https://x.example/?u={{unsubscribe_url}}">解除</a>', ''],
  ['<a href="https://x.example/">{{unsubscribe_url}}</a>', ''],
  ['<p>{{unsubscribe_url}}</p>', 'unsubscribe_url'],
  ['<p style="display:none">{{sender_name}}</p>', ''],
  ['<p style="font-size: 0px">{{sender_name}}</p>', ''],
  ['<p style="font-size:0.9em;line-height:0.5">{{sender_name}}</p>', 'sender_name'],
  ['<p style="opacity:0">{{sender_name}}</p>', ''],
];

for (const [html, shown] of cases) {
  test(`shown of ${html}`, () => assert.equal(namesShownBy(html).join(' '), shown));
}

test('what a mail hides, its footer says', () => {
  const hidden = '<p title="{{unsubscribe_url}} {{sender_name}} {{sender_address}} {{sender_contact}}">x</p>';
  const footer = htmlFooter(hidden, { locale: 'ja', notice_url: null });
  for (const name of ['sender_name', 'sender_address', 'sender_contact', 'unsubscribe_url']) {
    assert.ok(footer.includes(`{{${name}}}`), name);
  }
});
