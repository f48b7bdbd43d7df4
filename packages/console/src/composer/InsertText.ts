/** Returns whether a word can begin at the cursor of a field. */
export const isAtWordStart = (field: HTMLTextAreaElement | null): boolean =>
  field !== null && /(?:^|\s)$/u.test(field.value.slice(0, field.selectionStart))

/** Returns the text of a field with a piece at the cursor, in place of the selection. */
export const insertText = (field: HTMLTextAreaElement | null, piece: string): string =>
  field === null ? piece : field.value.slice(0, field.selectionStart) + piece + field.value.slice(field.selectionEnd)
