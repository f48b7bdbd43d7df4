import { InvalidArgumentError } from "commander"

/** A whole number within bounds, as an option's value. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It has to be a whole number from ${min} to ${max}.`)
  }
