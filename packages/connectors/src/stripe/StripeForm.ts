/** What goes into a form: texts, numbers, switches, and objects and lists of them. Undefined is left out. */
export type FormValue =
  | string
  | number
  | boolean
  | undefined
  | ReadonlyArray<FormValue>
  | { readonly [name: string]: FormValue }

const pairsOf = (name: string, value: FormValue): ReadonlyArray<readonly [string, string]> => {
  if (value === undefined) return []
  if (typeof value !== "object") return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, inner]: readonly [string, FormValue]) =>
    pairsOf(`${name}[${key}]`, inner)
  )
}

/** A form as Stripe reads it: `line_items[0][price]=price_1`. Names and values are encoded. */
export const formText = (fields: { readonly [name: string]: FormValue }): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      pairsOf(name, value).map(([key, text]): [string, string] => [key, text])
    )
  ).toString()
