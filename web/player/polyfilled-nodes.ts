/** `append` and `prepend` of elements, which came with Chromium 54. */
const { prototype } = Element as { prototype: Partial<Pick<Element, 'append' | 'prepend'>> };

if (!prototype.append) {
  prototype.append = function (this: Element, ...nodes) {
    this.appendChild(fragmentOf(nodes));
  };
  prototype.prepend = function (this: Element, ...nodes) {
    this.insertBefore(fragmentOf(nodes), this.firstChild);
  };
}

function fragmentOf(nodes: readonly (Node | string)[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const node of nodes) fragment.appendChild(typeof node === 'string' ? document.createTextNode(node) : node);
  return fragment;
}
