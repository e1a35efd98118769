/** Reads the forms of the dialogs about money. */

/** As the API takes it: a bank's reference of a payment (ISO 20022). */
export const REFERENCE_LENGTH_MAX = 140;

/** As the API takes it. */
export const NOTE_LENGTH_MAX = 2_000;

/** The text of a field; undefined if it is blank. */
export function textOfField(form: HTMLFormElement, name: string): string | undefined {
  return String(new FormData(form).get(name)).trim() || undefined;
}
