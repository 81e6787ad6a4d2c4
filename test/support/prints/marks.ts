import { createHash } from 'node:crypto';
import type { PrintImage } from '../../../shared/invoicing/print/model.ts';
import type { PaperImage } from '../../../workers/pdf/paper/images.ts';
import type { Renderer } from '../../../workers/pdf/renderer.ts';

/** An image as the settings name it, and as the page takes it. */
export type Mark = { image: PrintImage; paper: PaperImage };

const SEAL = `<div style="width:252px;height:252px;box-sizing:border-box;border:9px solid #c3342b;border-radius:14px;
  color:#c3342b;font:700 66px/76px 'Noto Sans JP';writing-mode:vertical-rl;display:grid;place-content:center;
  letter-spacing:8px;white-space:pre">株式会\n社青葉\n珈琲印</div>`;

const LOGO = `<div style="width:480px;height:128px;display:flex;align-items:center;gap:24px;color:#2f6b4f;
  font:700 62px 'Noto Sans JP';letter-spacing:2px"><svg width="110" height="110"><circle cx="55" cy="55" r="55"
  fill="#2f6b4f"/><path d="M30 74C30 44 52 30 82 30C82 60 66 80 38 80C44 62 54 52 66 46" fill="none" stroke="#fff"
  stroke-width="7" stroke-linecap="round"/></svg>青葉珈琲</div>`;

/** The seal and the logo of the story's company, drawn by the browser that draws its documents. */
export async function drawnMarks(renderer: Renderer): Promise<{ seal: Mark; logo: Mark }> {
  return {
    seal: await drawn(renderer, SEAL, { width: 252, height: 252 }),
    logo: await drawn(renderer, LOGO, { width: 480, height: 128 }),
  };
}

function drawn(renderer: Renderer, html: string, size: { width: number; height: number }): Promise<Mark> {
  return renderer.render(async (page) => {
    await page.setContent(`<body style="margin:0">${html}`);
    const bytes = await page.screenshot({ omitBackground: true, clip: { x: 0, y: 0, ...size } });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { image: { sha256, ...size }, paper: { media_type: 'image/png', bytes } };
  }, new AbortController().signal);
}
