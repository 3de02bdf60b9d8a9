// The switches with which Chromium is started. postern-eyes@.service has the same.

/**
 * Chromium is driven through a pipe, so it opens no port. It has no name to look up and nothing to fetch by itself, and its sandbox
 * stays on.
 * @see https://peter.sh/experiments/chromium-command-line-switches/
 */
export const switches: readonly string[] = [
  '--headless',
  '--remote-debugging-pipe',
  // No name has an address, and no address is connected to. So nothing leaves even past the interception of requests.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-breakpad',
  '--disable-gpu',
  // Its shared memory is files in its own temporary folder.
  '--disable-dev-shm-usage',
  // Addresses stay as the page has them, and no process is started that no page needs.
  '--disable-features=HttpsUpgrades,OptimizationHints,MediaRouter,Translate,SpareRendererForSitePerProcess',
  '--no-startup-window',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--mute-audio',
  '--hide-scrollbars',
  '--password-store=basic',
]
