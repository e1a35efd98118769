/** Files that somebody drops anywhere on the page. */
import { useEffect } from 'react';

/**
 * Without it a browser opens a dropped file in place of the page.
 *
 * @param onFiles undefined: dropped files are left to the browser
 */
export function useDroppedFiles(onFiles: ((files: readonly File[]) => void) | undefined): void {
  useEffect(() => {
    if (!onFiles) return;
    const allow = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(files);
    };
    window.addEventListener('dragover', allow);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', allow);
      window.removeEventListener('drop', drop);
    };
  }, [onFiles]);
}
