/** The minimum length of a new password in the API (`api/sessions/password.ts`). */
export const PASSWORD_LENGTH_MIN = 15;
