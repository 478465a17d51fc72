/** Runs it when the page is drawn next. A window that nobody sees is drawn by no frame; it is done all the same. @returns takes it back */
export function onFrame(run: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(run, 250);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
