/** Registers the service worker, and reports when a new version of the page is waiting. */
export async function registerOffline(onNewVersion: (reload: () => void) => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.register('./sw.js');
  const offer = (worker: ServiceWorker | null) => {
    // Without a controller this is the first visit, and no old version exists.
    if (worker?.state === 'installed' && navigator.serviceWorker.controller) onNewVersion(() => worker.postMessage('reload'));
  };
  offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => offer(installing));
  });
  let reloading = false;
  const controlled = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (controlled && !reloading) location.reload();
    reloading = true;
  });
}
