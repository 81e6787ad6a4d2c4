// Reads the page again every few seconds and takes over what has changed in its live parts. The page is whole without.
const EVERY = 5_000;
const place = document.querySelector('[data-live-control]');
const button = document.createElement('button');
const state = document.createElement('span');
// The page of an outage gives way to the one that was asked for; any other stays until there is an answer.
const isOutage = place?.hasAttribute('data-until-answered') ?? false;
let isPaused = false;

button.type = 'button';
button.className = 'small';
state.className = 'quiet';
// The page says it in its language.
const words = place?.dataset ?? {};
place?.replaceChildren(state, ' ', button);
tell();

button.addEventListener('click', () => {
  isPaused = !isPaused;
  tell();
});

function tell() {
  button.textContent = isPaused ? words.goOn : words.hold;
  state.textContent = isPaused ? words.held : words.fresh;
}

async function refresh() {
  if (isPaused || document.hidden) return;
  try {
    const response = await fetch(location.href, { headers: { Accept: 'text/html' } });
    if (isOutage && response.ok) return location.reload();
    if (!isOutage && !response.ok) throw new Error(String(response.status));
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (isPaused) return;
    for (const part of document.querySelectorAll('[data-live]')) {
      const next = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
      // What somebody is at stays under their hands.
      if (!next || part.contains(document.activeElement) || part.innerHTML === next.innerHTML) continue;
      part.replaceChildren(...next.childNodes);
    }
    tell();
  } catch {
    state.textContent = words.silent;
  }
}

setInterval(refresh, EVERY);
