/** One text message as it is to leave, whoever carries it. */
export interface OutgoingText {
  /** The tenant's number, E.164. */
  readonly from: string
  /** The contact's number, E.164. */
  readonly to: string
  readonly body: string
  /** What it is counted and paid as. */
  readonly segments: number
  /** No person wrote this. */
  readonly automatic: boolean
}

/** Longest text, in characters: what providers take of one message. */
export const maxOutgoingTextLength = 1_600

/** The default alphabet of GSM 03.38 (3GPP TS 23.038 section 6.2.1), without the escape. */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)

/** Its extension table (section 6.2.1.1): each takes two places, an escape and itself. */
const extended = new Set("\f^{}\\[~]|€")

/** How a text travels, and as how many messages. */
export interface Segmentation {
  /** `gsm7`: seven bits a character; `ucs2`: sixteen, as soon as one character needs it. */
  readonly encoding: "gsm7" | "ucs2"
  readonly segments: number
  /** Places taken: septets, or units of UTF-16. */
  readonly units: number
}

/** Places of a message alone, and of one of several, which carries where it belongs (3GPP TS 23.040 section 9.2.3.24.1). */
const room = { gsm7: { alone: 160, joined: 153 }, ucs2: { alone: 70, joined: 67 } } as const

/** Places that each character takes, which no message divides. */
const widthsOf = (text: string): { readonly encoding: "gsm7" | "ucs2"; readonly widths: ReadonlyArray<number> } => {
  const characters = Array.from(text)
  const fits = characters.every((character) => basic.has(character) || extended.has(character))
  return fits
    ? { encoding: "gsm7", widths: characters.map((character) => (extended.has(character) ? 2 : 1)) }
    : { encoding: "ucs2", widths: characters.map(({ length }) => length) }
}

/** Counts the messages that a text is cut into; an empty one is one. */
export const segmentsOf = (text: string): Segmentation => {
  const { encoding, widths } = widthsOf(text)
  const units = widths.reduce((sum, width) => sum + width, 0)
  const { alone, joined } = room[encoding]
  if (units <= alone) return { encoding, segments: 1, units }
  let segments = 1
  let left: number = joined
  for (const width of widths) {
    if (width > left) {
      segments++
      left = joined
    }
    left -= width
  }
  return { encoding, segments, units }
}

/** FROZEN. The key under which a text is a copy of one that the provider has brought or taken before. */
export const textKey = (providerMessageId: string): string => `sms:${providerMessageId}`
