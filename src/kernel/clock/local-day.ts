/** Days as the person counts them: in the time zone of the machine. */

/** `YYYY-MM-DD` of the local day that `ms` (since 1970, UTC) lies in. */
export function localDayOf(ms: number): string {
  const at = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** `HH:MM` of the local time of the day that `ms` (since 1970, UTC) lies at. */
export function localTimeOf(ms: number): string {
  const at = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** When the local day of `ms` began. Milliseconds. */
export function startOfLocalDay(ms: number): number {
  const at = new Date(ms);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}

/** When the local day after that of `ms` begins: 23, 24 or 25 hours after its own beginning. Milliseconds. */
export function nextLocalDay(ms: number): number {
  const at = new Date(ms);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1).getTime();
}
