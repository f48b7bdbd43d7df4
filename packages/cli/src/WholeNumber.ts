import { InvalidArgumentError } from "commander"

/** Creates an option parser for integers from `min` to `max`. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`Must be an integer from ${min} to ${max}.`)
  }
