// Before the first paint, so that a chosen theme does not flash the other one.
try {
  const chosen = localStorage.getItem('guild-hall.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing shows the system's theme.
}
