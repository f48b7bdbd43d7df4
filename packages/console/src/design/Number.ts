/** Returns an amount of money, or null if there is none. Without a currency, only the number is shown. */
export const money = (value: number | null, currency: string | null): string | null => {
  if (value === null) return null
  const style = currency === null ? {} : ({ style: "currency", currency } as const)
  return new Intl.NumberFormat("en", { ...style, maximumFractionDigits: 2, minimumFractionDigits: 0 }).format(value)
}
