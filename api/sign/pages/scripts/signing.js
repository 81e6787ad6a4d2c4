// Shows what needs a script, and starts each part. The page is whole without: the form is the one place of all values.
import { showBoxes } from './boxes.js';
import { drawPages } from './pages.js';
import { startPads } from './pad.js';
import { startProgress } from './progress.js';

for (const part of document.querySelectorAll('[data-script]')) part.hidden = false;

startPads();
startProgress();

const frame = document.querySelector('.drawn');
if (frame) {
  const say = frame.querySelector('[role="status"]');
  drawPages(frame)
    .then((pages) => {
      say.remove();
      showBoxes(pages);
    })
    .catch(() => {
      frame.classList.add('failed');
      say.textContent = frame.dataset.failed;
    });
}
