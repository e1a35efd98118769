/** As many characters as the API asks of a new password (`api/sessions/password.ts`). */
export const PASSWORD_LENGTH_MIN = 15;
