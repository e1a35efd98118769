/** Whether the server has another build of this page. No answer is no news. */
export async function isOutdated(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type=module]');
  try {
    const response = await fetch('/player', { cache: 'no-cache' });
    const page = await response.text();
    return (
      response.status === 200 &&
      script !== null &&
      page.indexOf('id="player"') > 0 &&
      page.indexOf(new URL(script.src).pathname) < 0
    );
  } catch {
    return false; // the network is down
  }
}
