/** Returns the text of a control without spaces around it; null for an empty one. */
export const textIn = (data: FormData, name: string): string | null => {
  const value = String(data.get(name) ?? "").trim()
  return value === "" ? null : value
}

/** Returns the words of a control that are separated by commas. */
export const wordsIn = (data: FormData, name: string): ReadonlyArray<string> =>
  String(data.get(name) ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
