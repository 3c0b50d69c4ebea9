/** A whole number with commas between its thousands, as in both languages. `toLocaleString` is not used because its first
 * call in a page takes 40 ms, most of the time to a first answer. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
