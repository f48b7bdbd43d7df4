import { areSimilar, backgroundOf, type Color, colorOf, colorOfAttribute, isTransparent, isOpaque } from "./Color.ts"
import { type Declarations, declarations, type Length, lengthOf, valueOf } from "./Declarations.ts"

/**
 * The visibility of text in an element, according to its attributes and inline styles. Text with unknown properties
 * counts as visible, so that no text is lost. Style sheets are not read. If the document has a style sheet and the
 * element has a class or an id, the colours of the element are unknown. The background of the document is unknown too,
 * so white text without a background counts as visible.
 */
export interface Visibility {
  /** The whole content is invisible, whatever the styles of its descendants. */
  readonly hidden: boolean
  /** `visibility: hidden`, until a descendant sets it to visible. */
  readonly invisible: boolean
  /** The letters are too small to read, until a descendant sets a size. */
  readonly sizeless: boolean
  /** The text colour; null for an unknown one. */
  readonly color: Color | null
  /** The background colour; null for an unknown one. */
  readonly background: Color | null
}

/** A start tag from the tokenizer, with names in lower case. */
export interface OpenTag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Whether the document has a style sheet. */
  readonly styled: boolean
}

/** The visibility outside all elements: visible, with unknown colours. */
export const seen: Visibility = { hidden: false, invisible: false, sizeless: false, color: null, background: null }

/** Returns whether text with this visibility can be seen. */
export const isSeen = ({ background, color, hidden, invisible, sizeless }: Visibility): boolean =>
  !hidden &&
  !invisible &&
  !sizeless &&
  (color === null || (!isTransparent(color) && (background === null || !areSimilar(color, background))))

/** Content with an offset of at most this many pixels is off-screen. An em counts as 16 pixels. */
const farAway = -999

const isFarOff = (length: Length | undefined): boolean =>
  length !== undefined && length.amount * (length.relative ? 16 : 1) <= farAway

const any = (found: Declarations, names: ReadonlyArray<string>, test: (value: string) => boolean): boolean =>
  names.some((name) => valueOf(found, name, test) === true)

const displays =
  /^(?:none|block|inline|inline-block|(?:inline-)?(?:flex|grid|table)|table-[a-z-]+|list-item|contents|flow-root|initial|inherit|unset|revert)$/u

const isDisplayed = (value: string): boolean | undefined => (displays.test(value) ? value !== "none" : undefined)

const numberOf = (value: string): number | undefined =>
  /^[\d.]+%?$/u.test(value) ? Number.parseFloat(value) / (value.endsWith("%") ? 100 : 1) : undefined

const isFaint = (found: Declarations): boolean =>
  (valueOf(found, "opacity", numberOf) ?? 1) < 0.06 ||
  any(found, ["filter", "-webkit-filter"], (value) => /opacity\(\s*0(?:\.0\d*)?%?\s*\)/u.test(value))

const isOffScreen = (found: Declarations): boolean => {
  const placed = any(found, ["position"], (value) => /^(?:absolute|fixed|relative|sticky)$/u.test(value))
  const sides = ["left", "top", "right", "bottom", "inset"]
  const edges = [...(placed ? sides : []), "margin-left", "margin-top", "text-indent"]
  return (
    edges.some((name) => isFarOff(valueOf(found, name, lengthOf))) ||
    any(found, ["transform", "-webkit-transform"], (value) =>
      /scale(?:3d|[xy])?\(\s*0(?:\.0+)?\s*[,)]|translate(?:3d|[xy])?\(\s*-\d{4}/u.test(value)
    )
  )
}

/** Returns whether `rect(top, right, bottom, left)` is empty. */
const isEmptyRect = (value: string): boolean => {
  const [, inside = ""] = /^rect\(([^()]*)\)$/u.exec(value) ?? []
  const edges = inside.split(/[\s,]+/u).flatMap((edge) => lengthOf(edge)?.amount ?? [])
  const [top = 0, right = 0, bottom = 0, left = 0] = edges
  return edges.length === 4 && (bottom <= top || right <= left)
}

const emptyShape =
  /^(?:inset\(\s*(?:[5-9]\d|\d{3,})(?:\.\d+)?%\s*\)|circle\(\s*0(?:px|%)?\s*(?:at [^()]*)?\)|polygon\(\s*(?:0(?:px|%)?[\s,]*)+\))$/u

/**
 * Elements that a small width or height does not hide. A table box grows with its content, and an inline element has no
 * height of its own.
 */
const growing = new Set(
  "a abbr b center cite code em font i s small span strong strike sub sup table tbody td tfoot th thead tr u".split(" ")
)

const isClipped = (found: Declarations, tag: string): boolean => {
  if (any(found, ["position"], (value) => /^(?:absolute|fixed)$/u.test(value)) && any(found, ["clip"], isEmptyRect)) {
    return true
  }
  if (any(found, ["clip-path", "-webkit-clip-path"], (value) => emptyShape.test(value))) return true
  if (!any(found, ["overflow", "overflow-x", "overflow-y"], (value) => /^(?:hidden|clip)\b/u.test(value))) return false
  const max = growing.has(tag) ? 0 : 1
  return ["height", "max-height", "width", "max-width"].some((name) => {
    const length = valueOf(found, name, lengthOf)
    return length !== undefined && !length.relative && length.amount <= max
  })
}

const isHidden = (found: Declarations, tag: string): boolean =>
  valueOf(found, "display", isDisplayed) === false ||
  any(found, ["mso-hide"], (value) => value === "all") ||
  any(found, ["content-visibility"], (value) => value === "hidden") ||
  isFaint(found) ||
  isOffScreen(found) ||
  isClipped(found, tag)

const visibilities: Readonly<Record<string, boolean>> = { hidden: true, collapse: true, visible: false, initial: false }

/**
 * Limits for font sizes relative to the parent. At or below the first limit, text is unreadable. At or above the second
 * limit, text inside an unreadable parent is readable again.
 */
const [sharesUnread, sharesBig] = [1 / 16, 6]

const isSizeless = (value: string, parent: boolean): boolean | undefined => {
  if (value === "inherit" || value === "smaller" || value === "larger") return parent
  if (/^(?:(?:xx?-)?(?:small|large)|xxx-large|medium|initial)$/u.test(value)) return false
  const length = lengthOf(value)
  if (length === undefined || length.amount < 0) return undefined
  if (!length.relative) return length.amount <= 1
  return length.amount <= sharesUnread || (parent && length.amount < sharesBig)
}

const colorIn = (found: Declarations, parent: Visibility): Color | null | undefined => {
  const read = (value: string) => (value === "inherit" ? parent.color : colorOf(value))
  const onText = any(found, ["background-clip", "-webkit-background-clip"], (value) => value === "text")
  return onText ? null : (valueOf(found, "-webkit-text-fill-color", read) ?? valueOf(found, "color", read))
}

const textColor = (found: Declarations, { attributes, name, styled }: OpenTag, parent: Visibility): Color | null => {
  const own = colorIn(found, parent)
  if (own !== undefined) return own
  const given = name === "font" ? attributes["color"] : name === "body" ? attributes["text"] : undefined
  if (given !== undefined) return colorOfAttribute(given) ?? null
  const otherwise = (name === "a" && "href" in attributes) || (styled && ("class" in attributes || "id" in attributes))
  return otherwise ? null : parent.color
}

const textBackground = (found: Declarations, tag: OpenTag, parent: Visibility): Color | null => {
  const { attributes, styled } = tag
  const image = valueOf(found, "background-image", (value) => (value === "none" ? undefined : value))
  if (image !== undefined || "background" in attributes) return null
  const own = valueOf(found, "background-color", backgroundOf)
  if (own === "image") return null
  if (own !== undefined && !isTransparent(own)) return isOpaque(own) ? own : null
  const given = attributes["bgcolor"]
  if (own === undefined && given !== undefined) return colorOfAttribute(given) ?? null
  const placed = any(found, ["position"], (value) => value === "absolute" || value === "fixed")
  return placed || (styled && ("class" in attributes || "id" in attributes)) ? null : parent.background
}

/** Returns the visibility of an element's text, given that of its parent. Linear in the length of its style. */
export const visibilityOf = (parent: Visibility, tag: OpenTag): Visibility => {
  const { attributes, name } = tag
  const found = declarations(attributes["style"] ?? "")
  const sizeless = valueOf(found, "font-size", (value) => isSizeless(value, parent.sizeless))
  return {
    hidden: parent.hidden || "hidden" in attributes || isHidden(found, name),
    invisible: valueOf(found, "visibility", (value) => visibilities[value]) ?? parent.invisible,
    sizeless: sizeless ?? (parent.sizeless && !(name === "font" && "size" in attributes)),
    color: textColor(found, tag, parent),
    background: textBackground(found, tag, parent)
  }
}
