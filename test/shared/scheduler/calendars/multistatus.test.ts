import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMultistatus } from '../../../../shared/scheduler/calendars/caldav/multistatus.ts';
import { escapeXml, readXml } from '../../../../shared/scheduler/calendars/caldav/xml.ts';

describe('an answer about several resources', () => {
  it('is read by its namespaces, whatever their prefixes are', () => {
    const { responses, sync_token } = readMultistatus(`<?xml version="1.0"?>
      <x:multistatus xmlns:x="DAV:" xmlns:y="urn:ietf:params:xml:ns:caldav">
        <x:response>
          <x:href> /a%20b.ics </x:href>
          <x:propstat>
            <x:prop><y:calendar-data><![CDATA[BEGIN & END]]></y:calendar-data><x:getetag>"1"</x:getetag></x:prop>
            <x:status>HTTP/1.1 200 OK</x:status>
          </x:propstat>
          <x:propstat><x:prop><x:displayname/></x:prop><x:status>HTTP/1.1 404 Not Found</x:status></x:propstat>
        </x:response>
        <x:response><x:href>/gone.ics</x:href><x:status>HTTP/1.1 404 Not Found</x:status></x:response>
        <x:sync-token>token</x:sync-token>
      </x:multistatus>`);
    assert.equal(sync_token, 'token');
    const [first, second] = responses;
    assert.deepEqual([first!.href, first!.status], ['/a%20b.ics', null]);
    assert.deepEqual(
      [...first!.properties.keys()],
      ['urn:ietf:params:xml:ns:caldav calendar-data', 'DAV: getetag'],
    );
    assert.equal(first!.properties.get('urn:ietf:params:xml:ns:caldav calendar-data')!.text, 'BEGIN & END');
    assert.deepEqual([second!.href, second!.status, second!.properties.size], ['/gone.ics', 404, 0]);
  });

  it('is not one with another root', () => {
    assert.throws(() => readMultistatus('<multistatus/>'));
    assert.throws(() => readMultistatus('<multistatus xmlns="DAV:">'));
    assert.throws(() => readMultistatus(''));
  });
});

describe('XML', () => {
  const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><a>&b;</a>`;
  const refused = {
    'a bomb of entities': bomb,
    'a file of this machine': '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/hostname">]><a>&a;</a>',
    'an entity that nobody defined': '<a>&b;</a>',
    'elements in elements without end': '<a>'.repeat(33) + '</a>'.repeat(33),
    'more elements than are taken': `<a>${'<b/>'.repeat(200_000)}</a>`,
    'more attributes than are taken': `<a${Array.from({ length: 101 }, (_, n) => ` b${n}=""`).join('')}/>`,
    'a prefix without a namespace': '<x:a/>',
  };
  for (const [name, text] of Object.entries(refused)) {
    it(`does not take ${name}`, () => assert.throws(() => readXml(text)));
  }

  it('keeps each text that was escaped', () => {
    const text = `<a href="x">'&amp;'</a>`;
    assert.equal(readXml(`<a>${escapeXml(text)}</a>`).text, text);
    assert.deepEqual(readXml(`<a b="${escapeXml(text)}"/>`).attributes, { b: text });
  });
});
