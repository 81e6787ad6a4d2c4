// Says how many required fields are empty, while they are filled in, and leads to the next of them.

/** Starts counting, where there is a form to sign. */
export function startProgress() {
  const form = document.querySelector('form.sign');
  const place = form?.querySelector('.progress');
  if (!place) return;
  const [text, next] = place.children;
  const empty = () => [...form.querySelectorAll('[data-required]')].filter(isEmpty);
  const count = () => {
    const left = empty().length;
    const { done, left: some } = place.dataset;
    text.textContent = left === 0 ? done : some.replace('#', String(left));
    next.hidden = left === 0;
  };
  next.addEventListener('click', () => {
    const [first] = empty();
    const inputs = first?.querySelectorAll('input:not([type="hidden"]), select, textarea') ?? [];
    [...inputs].find((each) => each.offsetParent)?.focus();
  });
  for (const kind of ['input', 'change', 'drawn']) form.addEventListener(kind, count);
  count();
}

function isEmpty(input) {
  const way = input.querySelector('.signature input[type="radio"]:checked')?.value;
  if (way === 'drawn') return input.querySelector('input[name$="-strokes"]').value === '';
  if (way === 'image') {
    return !input.querySelector('input[type="file"]').files[0] && !input.querySelector('input[name$="-kept"]');
  }
  const choices = input.querySelectorAll('input[type="checkbox"], input[type="radio"]:not([name$="-way"])');
  if (choices.length > 0) return ![...choices].some(({ checked }) => checked);
  return input.querySelector('input[type="text"], select, textarea').value.trim() === '';
}
