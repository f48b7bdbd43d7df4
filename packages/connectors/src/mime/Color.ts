import { wordsOf } from "./Declarations.ts"

/** A colour: red, green and blue from 0 to 255, and opacity from 0 to 1. An unknown colour name stays a string. */
export type Color = string | readonly [red: number, green: number, blue: number, alpha: number]

const names: Readonly<Record<string, string>> = {
  white: "fff",
  black: "000",
  snow: "fffafa",
  ivory: "fffff0",
  ghostwhite: "f8f8ff",
  whitesmoke: "f5f5f5",
  silver: "c0c0c0",
  gray: "808080",
  grey: "808080",
  red: "f00",
  lime: "0f0",
  blue: "00f",
  yellow: "ff0",
  navy: "000080",
  green: "008000",
  transparent: "0000"
}

const ofHex = (hex: string): Color => {
  const digits = hex.length < 6 ? hex.replace(/./gu, "$&$&") : hex
  const at = (index: number): number => Number.parseInt(digits.slice(index, index + 2), 16)
  return [at(0), at(2), at(4), digits.length > 6 ? at(6) / 255 : 1]
}

const isHex = (text: string): boolean => /^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/u.test(text)

const shareOf = (text: string, whole: number): number =>
  text.endsWith("%") ? (Number(text.slice(0, -1)) / 100) * whole : Number(text)

const ofFunction = (name: string, given: string): Color | undefined => {
  const [one = "", two = "", three = "", alpha = "1", ...more] = given.split(/[\s,/]+/u).filter((part) => part !== "")
  const opacity = shareOf(alpha, 1)
  if (more.length > 0 || three === "" || Number.isNaN(opacity)) return undefined
  // `hsl` colours are not converted to RGB. Their opacity is used, and they are compared for equality only.
  if (name.startsWith("hsl")) return opacity < 1 ? [0, 0, 0, opacity] : `hsl ${one} ${two} ${three}`
  const [red, green, blue] = [shareOf(one, 255), shareOf(two, 255), shareOf(three, 255)]
  return Number.isNaN(red + green + blue) ? undefined : [red, green, blue, opacity]
}

/** Parses a CSS colour; undefined for an invalid or context-dependent value. */
export const colorOf = (value: string): Color | undefined => {
  if (value.startsWith("#")) return isHex(value.slice(1)) ? ofHex(value.slice(1)) : undefined
  const named = names[value]
  if (named !== undefined) return ofHex(named)
  const [, name, inside] = /^((?:rgb|hsl)a?)\(([^()]*)\)$/u.exec(value) ?? []
  if (name !== undefined && inside !== undefined) return ofFunction(name, inside)
  return /^(?:inherit|initial|unset|revert|currentcolor|none|auto|fixed|scroll|local|repeat|center|top|left|right|bottom)$/u.test(
    value
  ) || !/^[a-z]+$/u.test(value)
    ? undefined
    : value
}

/** Parses the colour of an HTML attribute, where `#` is optional. */
export const colorOfAttribute = (value: string): Color | undefined => {
  const text = value.trim().toLowerCase()
  return /^[\da-f]{6}$/u.test(text) ? ofHex(text) : colorOf(text)
}

/** Parses `background` or `background-color`. Returns a colour, `image`, or undefined when the value sets neither. */
export const backgroundOf = (value: string): Color | "image" | undefined => {
  if (/url\(|gradient\(|image\(/u.test(value)) return "image"
  if (/^(?:none|initial|unset)$/u.test(value)) return ofHex("0000")
  for (const word of wordsOf(value)) {
    const color = colorOf(word)
    if (color !== undefined) return color
  }
  return undefined
}

/** Two opacities: text below the first is invisible, and a background from the second on is opaque. */
export const [unseenBelow, opaqueFrom] = [0.06, 0.95]

/** Returns whether a colour is invisible on any background. */
export const isTransparent = (color: Color): boolean => typeof color !== "string" && color[3] < unseenBelow

/** Returns whether a colour hides its background. */
export const isOpaque = (color: Color): boolean => typeof color === "string" || color[3] >= opaqueFrom

/** The maximum difference per channel (0 to 255) at which two colours look alike. */
const nearSteps = 10

/** Returns whether text in one colour is invisible on the other. */
export const areSimilar = (one: Color, other: Color): boolean => {
  if (typeof one === "string" || typeof other === "string") return one === other
  return [0, 1, 2].every((index) => Math.abs((one[index] ?? 0) - (other[index] ?? 0)) <= nearSteps)
}
