/**
 * The draft of a long form. When the session ends, the sign-in takes the place of the page; once the same person has
 * signed in again, the form is as they left it. It is kept in the memory of the tab alone.
 */
import { useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react';
import { useSession } from './session.ts';

/** One: a page has one long form. */
let kept: { owner: string; value: unknown } | undefined;

/** As `useState`. `Value` is that of the form at this address. */
export function useDraft<Value>(initial: () => Value): [Value, Dispatch<SetStateAction<Value>>] {
  const { me, scope } = useSession();
  const [path] = useState(location.pathname);
  const owner = `${path} ${scope} ${me.person.id}`;
  const [value, setValue] = useState(() => (kept?.owner === owner ? (kept.value as Value) : initial()));
  const newest = useRef({ owner, value });
  useEffect(() => {
    newest.current = { owner, value };
  }, [owner, value]);
  useEffect(() => {
    kept = undefined;
    return () => {
      // Navigating to another page leaves the form; otherwise it was removed under the user.
      if (location.pathname === path) kept = newest.current;
    };
  }, [path]);
  return [value, setValue];
}
