const plural = new Intl.PluralRules("en")

/** Returns a number with its noun in the right form. */
export const count = (number: number, one: string, other: string): string =>
  `${number} ${plural.select(number) === "one" ? one : other}`
