/**
 * Links from a page to a file outside of `docs/` (a source, a test, a folder). The repository follows them; the site
 * has no such page, so it shows the link's text and names the file.
 */
import { join, normalize } from 'node:path/posix';
import type { MarkdownRenderer } from 'vitepress';

/** A token of a link that leads out of `docs/` loses its tags: the text between them stays. */
export function unlinkSources(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('unlink-sources', state => {
    const { relativePath = '' } = state.env as { relativePath?: string };
    for (const { children } of state.tokens) {
      if (!children) continue;
      let inside = false;
      for (const token of children) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href') ?? '';
          inside = !/^[a-z]+:/.test(href) && normalize(join(relativePath, '..', href)).startsWith('../');
          if (inside) {
            token.tag = 'span';
            token.attrs = [['title', normalize(join('docs', relativePath, '..', href))]];
          }
        } else if (token.type === 'link_close' && inside) {
          token.tag = 'span';
          inside = false;
        }
      }
    }
    return true;
  });
}
