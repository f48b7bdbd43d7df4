import type { OutgoingAttachment } from "../email/OutgoingMail.ts"

/** One outbound text message, for any provider. */
export interface OutgoingText {
  /** The tenant's number in E.164. */
  readonly from: string
  /** The contact's number in E.164. */
  readonly to: string
  readonly body: string
  /** The number of SMS segments, which providers bill. */
  readonly segments: number
  /** True if no person wrote the text. */
  readonly automatic: boolean
  /** The files of an MMS. Absent in texts of earlier versions. */
  readonly attachments?: ReadonlyArray<OutgoingAttachment>
}

/** The limit of files in one MMS. Twilio accepts ten. */
export const maxTextAttachments = 10

/** The limit of the files of one MMS together. Twilio accepts 5 MB with the text. */
export const maxTextAttachmentBytes = 5_000_000

/** In characters. Providers accept at most this length for one message. */
export const maxOutgoingTextLength = 1_600

/** The default alphabet of GSM 03.38 (3GPP TS 23.038 section 6.2.1), without the escape character. */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)

/** The extension table of GSM 03.38 (section 6.2.1.1). Each character takes two septets: an escape and itself. */
const extended = new Set("\f^{}\\[~]|€")

/** The encoding of a text and its number of segments. */
export interface Segmentation {
  /**
   * `gsm7`: 7 bits per character. `ucs2`: 16 bits per UTF-16 unit. A single character outside the GSM alphabet makes
   * the whole text `ucs2`.
   */
  readonly encoding: "gsm7" | "ucs2"
  readonly segments: number
  /** The length in septets (`gsm7`) or UTF-16 units (`ucs2`). */
  readonly units: number
}

/**
 * The units per segment. `alone`: for a text with one segment. `joined`: for a longer text, whose segments also contain
 * a header (3GPP TS 23.040 section 9.2.3.24.1).
 */
const room = { gsm7: { alone: 160, joined: 153 }, ucs2: { alone: 70, joined: 67 } } as const

/**
 * Returns the encoding of a text and the number of units of each character. These widths are needed because a character
 * is never split between segments.
 */
const widthsOf = (text: string): { readonly encoding: "gsm7" | "ucs2"; readonly widths: ReadonlyArray<number> } => {
  const characters = Array.from(text)
  const fits = characters.every((character) => basic.has(character) || extended.has(character))
  return fits
    ? { encoding: "gsm7", widths: characters.map((character) => (extended.has(character) ? 2 : 1)) }
    : { encoding: "ucs2", widths: characters.map(({ length }) => length) }
}

/** Counts the segments of a text. An empty text is one segment. */
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

/** FROZEN. Returns the dedup key of a text from the provider's message id. */
export const textKey = (providerMessageId: string): string => `sms:${providerMessageId}`
