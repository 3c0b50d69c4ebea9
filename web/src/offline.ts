/** Registers the service worker, and reports when a new version of the page is waiting. */
export async function registerOffline(onNewVersion: (reload: () => void) => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.register('./sw.js');
  let isAsked = false;
  const isFirst = navigator.serviceWorker.controller === null;
  const offer = (worker: ServiceWorker | null) => {
    // Without a controller this is the first visit, and no old version exists.
    if (worker?.state !== 'installed' || isFirst) return;
    onNewVersion(() => {
      isAsked = true;
      worker.postMessage('reload');
    });
  };
  offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => offer(installing));
  });
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (isAsked) location.reload();
    // Another tab loaded the new version; this one may have something unsaved.
    else if (!isFirst) onNewVersion(() => location.reload());
  });
}
