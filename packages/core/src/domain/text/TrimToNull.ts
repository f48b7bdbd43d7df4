/** Removes white space around an entered text. Returns null when no other character remains. */
export const trimToNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}
