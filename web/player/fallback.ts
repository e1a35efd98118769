/**
 * A classic script behind the module of the page. A browser that did not run the module, because it has no modules or
 * cannot read its syntax, gets the legacy script. An inline script would need a hash in the page's policy.
 */
export const tag = document.currentScript as HTMLScriptElement;

if (!document.documentElement.dataset['state']) {
  const script = document.createElement('script');
  script.src = tag.dataset['legacy']!;
  document.head.appendChild(script);
}
