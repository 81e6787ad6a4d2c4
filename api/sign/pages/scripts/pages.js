// Draws the pages of the PDF while they are looked at, with their text over them: it can be selected and is read aloud.

/** Pixels above and below what is seen that are drawn too. */
const MARGIN = 600;
/** Pages that stay drawn; those that were seen longest ago give their memory back. */
const KEPT = 8;
/** Pixels of a page at most: telephones have no more for one canvas. */
const MOST_PIXELS = 8_000_000;

/** Opens the PDF of the frame and makes a place for each page. Answers the places by number once the first page is drawn. */
export async function drawPages(frame) {
  const { pdf: url, pdfjs: base, pageOf } = frame.dataset;
  const pdfjs = await import(`${base}pdf.min.mjs`);
  pdfjs.GlobalWorkerOptions.workerSrc = `${base}pdf.worker.min.mjs`;
  const pdf = await pdfjs.getDocument({
    url,
    cMapUrl: `${base}cmaps/`,
    standardFontDataUrl: `${base}standard_fonts/`,
    // The policy of the page lets no compiled code in.
    useWasm: false,
    isEvalSupported: false,
    disableAutoFetch: true,
    enableXfa: false,
  }).promise;
  const first = await pdf.getPage(1);
  const size = first.getViewport({ scale: 1 });
  const places = new Map();
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const place = document.createElement('div');
    place.className = 'page';
    place.dataset.page = String(number);
    place.setAttribute('role', 'group');
    place.setAttribute('aria-label', pageOf.replace('#', String(number)));
    place.style.aspectRatio = `${size.width} / ${size.height}`;
    places.set(number, place);
  }
  frame.append(...places.values());
  const drawer = drawerOf({ pdfjs, pdf, places });
  await drawer.draw(1);
  watch(frame, places, drawer);
  return { frame, places };
}

/** Draws pages one after the other, that which was asked for last first, and keeps the last few. */
function drawerOf({ pdfjs, pdf, places }) {
  const drawn = new Map();
  let wanted = new Set();
  let isBusy = false;

  async function next() {
    if (isBusy) return;
    isBusy = true;
    for (;;) {
      const number = [...wanted].find((each) => drawn.get(each) !== widthOf(each));
      if (number === undefined) break;
      // One page that cannot be drawn does not stop the others.
      await draw(number).catch(() => drawn.set(number, widthOf(number)));
    }
    isBusy = false;
    forget();
  }

  const widthOf = (number) => places.get(number).clientWidth;

  async function draw(number) {
    const place = places.get(number);
    const width = widthOf(number);
    const page = await pdf.getPage(number);
    const natural = page.getViewport({ scale: 1 });
    place.style.aspectRatio = `${natural.width} / ${natural.height}`;
    const viewport = page.getViewport({ scale: width / natural.width });
    const sharp = Math.min(devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(viewport.width * sharp);
    canvas.height = Math.round(viewport.height * sharp);
    canvas.setAttribute('aria-hidden', 'true');
    const transform = sharp === 1 ? null : [sharp, 0, 0, sharp, 0, 0];
    await page.render({ canvas, viewport, transform }).promise;
    const text = document.createElement('div');
    text.className = 'textLayer';
    text.style.setProperty('--total-scale-factor', String(viewport.scale));
    const textContentSource = page.streamTextContent();
    await new pdfjs.TextLayer({ textContentSource, container: text, viewport }).render();
    for (const old of place.querySelectorAll('canvas, .textLayer')) old.remove();
    place.prepend(canvas, text);
    drawn.set(number, width);
  }

  function forget() {
    const far = [...drawn.keys()].filter((number) => !wanted.has(number));
    for (const number of far.slice(0, Math.max(0, drawn.size - KEPT))) {
      for (const old of places.get(number).querySelectorAll('canvas, .textLayer')) old.remove();
      drawn.delete(number);
    }
  }

  return {
    draw,
    want(numbers) {
      wanted = numbers;
      next();
    },
  };
}

/** Asks for the pages that are seen, also after the frame has got another width. */
function watch(frame, places, drawer) {
  const seen = new Set();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const number = Number(target.dataset.page);
        if (isIntersecting) seen.add(number);
        else seen.delete(number);
      }
      drawer.want(new Set([...seen].sort((a, b) => a - b)));
    },
    { root: frame, rootMargin: `${MARGIN}px 0px` },
  );
  for (const place of places.values()) watcher.observe(place);
  let waiting;
  new ResizeObserver(() => {
    clearTimeout(waiting);
    waiting = setTimeout(() => drawer.want(new Set(seen)), 150);
  }).observe(frame);
}
