/** Ids in the form of rows. */
import { formatId, handleOf, type Handle, type Kind } from '#domain/id.ts';

export type Spelling = <K extends Kind>(kind: K, handle: Handle<NoInfer<K>>) => string;

/** Per kind, about 5 MB; a larger network formats them again from time to time. */
const KNOWN_MAX = 50_000;

/** Formats ids once and caches them: the same thousands recur in each group, and one takes a microsecond. */
export function createSpelling(): Spelling {
  const known = new Map<Kind, Map<number, string>>();
  return (kind, handle) => {
    let ids = known.get(kind);
    if (!ids) known.set(kind, (ids = new Map()));
    let id = ids.get(handle);
    if (id === undefined) {
      if (ids.size === KNOWN_MAX) ids.clear();
      ids.set(handle, (id = formatId(kind, handleOf(kind, handle))));
    }
    return id;
  };
}
