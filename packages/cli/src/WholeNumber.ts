import { InvalidArgumentError } from "commander"

/** A whole number within bounds, as an option's value. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text)
    if (Number.isInteger(value) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`It has to be a whole number from ${least} to ${most}.`)
  }
