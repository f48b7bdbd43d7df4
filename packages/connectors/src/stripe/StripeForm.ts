/** A value in a form: a string, number or boolean, or an object or list of them. Undefined fields are omitted. */
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

/** Encodes a form in Stripe's notation: `line_items[0][price]=price_1`. */
export const formOf = (fields: { readonly [name: string]: FormValue }): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      pairsOf(name, value).map(([key, text]): [string, string] => [key, text])
    )
  )
