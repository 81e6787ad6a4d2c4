import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { renderPdf } from '../../workers/pdf/render-pdf.ts';
import { pdfPicture } from '../support/pdf-pages.ts';
import { coffeeStory } from '../support/prints/coffee.ts';
import { drawnMarks } from '../support/prints/marks.ts';
import { testRenderer, unhurried } from '../support/rendering.ts';

/** npm run pictures: takes the pictures of issued documents that the documentation shows, from their PDFs. */
const renderer = testRenderer();
const { seal, logo } = await drawnMarks(renderer);
const images = new Map([seal, logo].map(({ image, paper }) => [image.sha256, paper]));
const story = coffeeStory({ seal: seal.image, logo: logo.image });

for (const [name, { print, page }] of Object.entries(story)) {
  test(`docs/pictures/invoicing-${name}.png`, async () => {
    const pdf = await renderPdf(renderer, { print, images }, unhurried);
    const edge = { top: 1, right: 1, bottom: 1, left: 1, background: '#d0d5dd' };
    const picture = sharp(await pdfPicture(pdf, page, 100))
      .flatten({ background: '#fff' })
      .extend(edge);
    const png = await picture.png({ palette: true, colours: 48, effort: 10 }).toBuffer();
    await writeFile(resolve(import.meta.dirname, `../../docs/pictures/invoicing-${name}.png`), png);
  });
}
