/** Returns the lines of a text that contain something. */
export const linesOf = (value: string | undefined): ReadonlyArray<string> =>
  (value ?? "").split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]))

/** Returns the value of a form, or null for an empty field. */
export const textOrNull = (value: string | undefined): string | null =>
  value === undefined || value === "" ? null : value

/** Returns the selected option, or undefined if the value is not an option. */
export const optionOf = <Option extends string>(
  options: Readonly<Record<Option, string>>,
  value: string | undefined
): Option | undefined => Object.keys(options).find((option): option is Option => option === value)
