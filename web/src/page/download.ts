/** Saves a blob under a name, as a click on a link would. */
export function download(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The click has taken the address by now; a later tick frees it without a race.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
