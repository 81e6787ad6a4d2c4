import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { imageBytes } from '../../../shared/invoicing/images/bytes.ts';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { storedFiles } from '../../support/stored.ts';

const MIB = 1024 * 1024;
const app = await startApp();
const red = { r: 200, g: 0, b: 0 };

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: red }, limitInputPixels: false });

function formOf(bytes: Uint8Array, name = 'ロゴ.png', type = 'image/png'): FormData {
  const form = new FormData();
  form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), name);
  return form;
}

/** A PNG that claims a size which its few bytes do not have. */
function claiming(width: number, height: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const sizes = Buffer.alloc(13);
  sizes.writeUInt32BE(width, 0);
  sizes.writeUInt32BE(height, 4);
  sizes.set([8, 2, 0, 0, 0], 8);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(Buffer.concat([Buffer.from('IHDR'), sizes])));
  return Buffer.concat([head, sizes, check, Buffer.from('0000000049444154', 'hex'), Buffer.alloc(64)]);
}

async function sent(client: Awaited<ReturnType<typeof app.actor>>, bytes: Uint8Array, name = 'logo') {
  return client.put(`/invoice-settings/${name}`, formOf(bytes));
}

describe('200', () => {
  test('an image is kept under the hash of what was made of it, and told in the audit log', async () => {
    const client = await app.actor();
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const reply = await sent(client, await plain(300, 120).png().toBuffer());
      assert.equal(reply.status, 200, reply.text);
      const { logo, seal } = reply.body.invoice_settings;
      assert.deepEqual([logo.width, logo.height, seal], [300, 120, null]);
      const { bytes, media_type } = await imageBytes(app.context, client.actor.organization_id, logo.sha256);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), logo.sha256);
      assert.equal(media_type, 'image/png');
    });
    assert.deepEqual(
      told.audit.map(({ entity_type, changes }) => [entity_type, Object.keys(changes)]),
      [['invoice_settings', ['logo']]],
    );
    assert.deepEqual(told.events, []);
  });

  test('logo and seal stand beside each other; the same image again changes nothing', async () => {
    const client = await app.actor();
    const bytes = await plain(100, 100).png().toBuffer();
    const first = (await sent(client, bytes, 'seal')).body.invoice_settings;
    const both = (await sent(client, bytes)).body.invoice_settings;
    assert.deepEqual(both.logo, first.seal);
    assert.deepEqual(both.seal, first.seal);
    const told = await toldBy(app, client.actor.organization_id, () => sent(client, bytes));
    assert.deepEqual(told, { events: [], audit: [] });
  });

  test('a photograph lies as its EXIF says, and says nothing else any more', async () => {
    const client = await app.actor();
    const bytes = await plain(200, 100)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'GEHEIM', Orientation: '6' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { logo } = (await sent(client, bytes)).body.invoice_settings;
    assert.deepEqual([logo.width, logo.height], [100, 200]);
    const kept = await imageBytes(app.context, client.actor.organization_id, logo.sha256);
    const { exif, orientation, format } = await sharp(kept.bytes).metadata();
    assert.deepEqual([exif, orientation, format], [undefined, undefined, 'jpeg']);
  });

  test('an image for print is shown on screens and paper in the same colour', async () => {
    const client = await app.actor();
    const bytes = await plain(60, 40).toColourspace('cmyk').jpeg().toBuffer();
    assert.equal((await sharp(bytes).metadata()).space, 'cmyk');
    const { logo } = (await sent(client, bytes)).body.invoice_settings;
    const kept = await imageBytes(app.context, client.actor.organization_id, logo.sha256);
    const { data, info } = await sharp(kept.bytes).raw().toBuffer({ resolveWithObject: true });
    assert.equal(info.channels, 3);
    assert.ok(data[0]! > 150 && data[1]! < 60 && data[2]! < 60, `${data[0]} ${data[1]} ${data[2]}`);
  });

  test('what follows the image in the file is left behind: a page, an archive', async () => {
    const client = await app.actor();
    const tail = Buffer.from('<script>alert(1)</script>PK\u0003\u0004');
    for (const image of [await plain(20, 20).png().toBuffer(), await plain(20, 20).jpeg().toBuffer()]) {
      const reply = await sent(client, Buffer.concat([image, tail]));
      assert.equal(reply.status, 200, reply.text);
      const { logo } = reply.body.invoice_settings;
      const kept = await imageBytes(app.context, client.actor.organization_id, logo.sha256);
      assert.ok(!kept.bytes.includes('script'));
    }
  });

  test('of an image that moves the first picture is kept', async () => {
    const client = await app.actor();
    const still = await plain(30, 30).png().toBuffer();
    const control = Buffer.from('acTL\0\0\0\u0002\0\0\0\0', 'latin1');
    const chunk = Buffer.alloc(8 + control.length);
    chunk.writeUInt32BE(8);
    chunk.set(control, 4);
    chunk.writeUInt32BE(crc32(control), 4 + control.length);
    const moving = Buffer.concat([still.subarray(0, 33), chunk, still.subarray(33)]);
    const { logo } = (await sent(client, moving)).body.invoice_settings;
    const kept = await imageBytes(app.context, client.actor.organization_id, logo.sha256);
    assert.ok(!kept.bytes.includes('acTL'));
  });

  test('16 megapixels are taken, and kept as large as paper shows', async () => {
    const client = await app.actor();
    const reply = await sent(client, await plain(8_000, 2_000).png().toBuffer());
    assert.equal(reply.status, 200, reply.text);
    const { logo } = reply.body.invoice_settings;
    assert.deepEqual([logo.width, logo.height], [1_600, 400]);
  });

  test('transparency stays', async () => {
    const client = await app.actor();
    const clear = {
      create: { width: 10, height: 10, channels: 4 as const, background: { ...red, alpha: 0 } },
    };
    const { seal } = (await sent(client, await sharp(clear).png().toBuffer(), 'seal')).body.invoice_settings;
    const kept = await imageBytes(app.context, client.actor.organization_id, seal.sha256);
    assert.ok((await sharp(kept.bytes).metadata()).hasAlpha);
  });

  test('DELETE shows none any more; the image stays for what was issued with it', async () => {
    const client = await app.actor();
    const { logo } = (await sent(client, await plain(10, 10).png().toBuffer())).body.invoice_settings;
    const reply = await client.delete('/invoice-settings/logo');
    assert.deepEqual([reply.status, reply.body], [200, { success: true }]);
    assert.equal((await client.get('/invoice-settings')).body.invoice_settings.logo, null);
    assert.ok(await imageBytes(app.context, client.actor.organization_id, logo.sha256));
    assert.equal((await client.delete('/invoice-settings/logo')).status, 404);
  });
});

describe('refused', () => {
  const refused: [
    name: string,
    bytes: () => Promise<Uint8Array> | Uint8Array,
    status: number,
    fault?: string,
  ][] = [
    ['413 for more than 2 MiB', () => Buffer.concat([claiming(10, 10), Buffer.alloc(2 * MIB)]), 413],
    [
      '415 for an SVG that unfolds without an end, whatever it is called',
      () =>
        Buffer.from(
          `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
           <svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/><text>&b;&b;&b;</text></svg>`,
        ),
      415,
    ],
    ['415 for a GIF', () => Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff;', 'latin1'), 415],
    ['415 for a WebP', () => plain(10, 10).webp().toBuffer(), 415],
    [
      '415 for a page with an image behind it',
      async () => Buffer.concat([Buffer.from('<html>'), await plain(9, 9).png().toBuffer()]),
      415,
    ],
    ['422 for 100 megapixels in the header', () => claiming(10_000, 10_000), 422, '/file too_many_pixels'],
    [
      '422 for a size beyond all memory',
      () => claiming(2_147_483_647, 2_147_483_647),
      422,
      '/file broken_image',
    ],
    ['422 for one pixel too many', () => plain(4_001, 4_000).png().toBuffer(), 422, '/file too_many_pixels'],
    ['422 for a PNG without pixels', () => claiming(100, 100), 422, '/file broken_image'],
    ['422 for a signature alone', () => Buffer.from('89504e470d0a1a0a', 'hex'), 422, '/file broken_image'],
    [
      '422 for a PNG that ends in the middle',
      async () => (await noise(200, 200).png().toBuffer()).subarray(0, 20_000),
      422,
      '/file broken_image',
    ],
    [
      '422 for a JPEG that ends in the middle',
      async () => (await noise(200, 200).jpeg().toBuffer()).subarray(0, 5_000),
      422,
      '/file broken_image',
    ],
    ['422 for an empty file', () => Buffer.alloc(0), 422, '/file empty_file'],
  ];
  for (const [name, bytes, status, fault] of refused) {
    test(name, async () => {
      const client = await app.actor();
      const before = storedFiles(app);
      const reply = await sent(client, await bytes());
      assert.equal(reply.status, status, reply.text);
      assert.deepEqual(faultsIn(reply.body), fault ? [fault] : []);
      assert.equal((await client.get('/invoice-settings')).body.invoice_settings.logo, null);
      assert.deepEqual(storedFiles(app), before);
    });
  }

  test('nothing but a form, and with no other field', async () => {
    const client = await app.actor();
    assert.equal((await client.put('/invoice-settings/logo', { file: 'x' })).status, 415);
    const form = formOf(await plain(9, 9).png().toBuffer());
    form.append('name', 'x');
    const reply = await client.put('/invoice-settings/logo', form);
    assert.deepEqual([reply.status, faultsIn(reply.body)], [422, ['/name unknown_field']]);
  });

  test('403 without the settings', async () => {
    const writer = await app.actor({ scopes: ['invoicing:read', 'invoicing:write'] });
    assert.equal((await sent(writer, await plain(9, 9).png().toBuffer())).status, 403);
    assert.equal((await writer.delete('/invoice-settings/seal')).status, 403);
  });
});

test('requests are answered while large images are decoded', async () => {
  const client = await app.actor();
  const large = await plain(4_000, 4_000).png({ progressive: true }).toBuffer();
  const decoding = Promise.all([1, 2, 3].map(() => sent(client, large)));
  let answered = 0;
  let is_over = false;
  decoding.finally(() => {
    is_over = true;
  });
  while (!is_over) {
    assert.equal((await client.get('/invoice-settings')).status, 200);
    answered += 1;
  }
  assert.deepEqual(new Set((await decoding).map(({ status }) => status)), new Set([200]));
  assert.ok(answered > 3, `${answered} answers`);
});

function noise(width: number, height: number) {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  return sharp({ create: { width, height, channels: 3, background: red, noise } });
}
