/** Saves a blob under a name, like a click on a link. */
export function download(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The click has used the address by then, so revoking it later cannot race.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
