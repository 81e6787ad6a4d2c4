import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { startApp } from '../../support/app.ts';
import { faultsIn } from '../../support/facts.ts';
import { newSender, oneSigner } from '../../support/signing.ts';

const app = await startApp();

const picture = sharp({ create: { width: 40, height: 40, channels: 3, background: '#c00' } });

/** A picture with more behind its pixels than it shows. */
const withMore = (bytes: Buffer) => ({
  kind: 'image',
  data: Buffer.concat([bytes, Buffer.from('<script>behind the picture</script>')]).toString('base64'),
});

const stampOf = (value: object) => ({ ...oneSigner.fields[0], type: 'stamp', value, read_only: true });

const bytesOf = (field: { value: { data: string } }) => Buffer.from(field.value.data, 'base64');

test('an image that a field is filled in with is made anew, by a form, JSON and a change', async () => {
  const sender = await newSender(app);
  const [png, jpeg] = [await picture.png().toBuffer(), await picture.jpeg().toBuffer()];
  const made = await sender.draft({ fields: [stampOf(withMore(png))] });
  assert.doesNotMatch(bytesOf(made.fields[0]).toString('latin1'), /behind/);
  const alone = await sender.post('/sign/documents', {
    title: '覚書',
    ...oneSigner,
    fields: [stampOf(withMore(jpeg))],
  });
  assert.equal(alone.status, 201, alone.text);
  const { id, fields } = alone.body.document;
  assert.doesNotMatch(bytesOf(fields[0]).toString('latin1'), /behind/);
  assert.equal((await sharp(bytesOf(fields[0])).metadata()).width, 40);

  const changed = await sender.patch(`/sign/documents/${id}`, {
    fields: [{ id: fields[0].id, value: withMore(png) }],
  });
  const [field] = changed.body.document.fields;
  assert.deepEqual((await sharp(bytesOf(field)).metadata()).format, 'png');
  assert.doesNotMatch(bytesOf(field).toString('latin1'), /behind/);
});

test('what is no whole image is refused at its place', async () => {
  const sender = await newSender(app);
  const png = await picture.png().toBuffer();
  const broken = { kind: 'image', data: png.subarray(0, 60).toString('base64') };
  const reply = await sender.upload({ title: '覚書', ...oneSigner, fields: [stampOf(broken)] });
  assert.deepEqual([reply.status, faultsIn(reply.body)], [422, ['/fields/0/value broken_image']]);
});
