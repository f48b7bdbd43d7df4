const styleOf = (currency: string | null) => (currency === null ? {} : ({ style: "currency", currency } as const))

/** Returns how many smallest units a currency has: 100 for USD, 1 for JPY (ISO 4217). Without a currency: 1. */
const unitsOf = (currency: string | null): number =>
  currency === null
    ? 1
    : 10 ** (new Intl.NumberFormat("en", styleOf(currency)).resolvedOptions().maximumFractionDigits ?? 0)

/** Returns a value in the unit that people use, for example dollars. The API has values in the smallest unit. */
export const amountOf = (value: number, currency: string | null): number => value / unitsOf(currency)

/** Returns an amount that a person has entered in the smallest unit of its currency. */
export const smallestUnits = (amount: number, currency: string | null): number => Math.round(amount * unitsOf(currency))

/** Returns a value in the smallest unit as an amount of money, or null if there is none. */
export const money = (value: number | null, currency: string | null): string | null => {
  if (value === null) return null
  const amount = amountOf(value, currency)
  const places = Number.isInteger(amount) ? { maximumFractionDigits: 0, minimumFractionDigits: 0 } : {}
  return new Intl.NumberFormat("en", { ...styleOf(currency), ...places }).format(amount)
}
