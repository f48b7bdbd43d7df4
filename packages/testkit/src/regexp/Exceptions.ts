import type { Construction } from "./Expressions.ts"

/** An expression that may cost more than linear time, because its input cannot become long. */
export interface Exception {
  readonly path: string
  /** How its source begins. */
  readonly begins: string
  /** The bound of its input, and where it is enforced. */
  readonly reason: string
}

/** Every expression that is allowed to grow faster than its input. */
export const exceptions: ReadonlyArray<Exception> = [
  {
    path: "packages/core/src/domain/consent/ConsentRequest.ts",
    begins: String.raw`(?:^|(?<!\b(?:not|never|no)) )(?:(?:quiero`,
    reason: "Texts of more than 600 characters (maxReadLength) are not read."
  },
  {
    path: "packages/core/src/domain/classification/KeywordClassifier.ts",
    begins: String.raw`\s+\S*$`,
    reason: "Reads 139 characters of a line (summaryLength)."
  },
  {
    path: "packages/connectors/src/oidc/StrictJson.ts",
    begins: '(?<text>"',
    reason: "Reads texts that JSON.parse has accepted: every string in them ends."
  },
  {
    path: "packages/server/src/http/Docs.ts",
    begins: String.raw`<script>([\s\S]*?)<\/script>`,
    reason: "Reads the page of the documentation, which is part of the program."
  }
]

/** A construction that runs later than its module loads, with sources that it makes. */
export interface LaterConstruction extends Omit<Construction, "line"> {
  readonly examples: ReadonlyArray<RegExp>
}

/** Expressions with parts that are not known before they are used. */
export const laterConstructions: ReadonlyArray<LaterConstruction> = [
  {
    path: "packages/core/src/domain/email/quoted/QuotedHtml.ts",
    text: 'new RegExp(`<(/?)${name}(?=[\\\\s>/])`, "gi")',
    examples: [/<(\/?)blockquote(?=[\s>/])/gi]
  },
  {
    path: "packages/server/src/config/TwilioVariables.ts",
    text: 'new RegExp(`^${prefix}[0-9a-fA-F]{32}$`, "u")',
    examples: [/^AC[0-9a-fA-F]{32}$/u]
  },
  {
    path: "packages/store/src/admin/LockHolder.ts",
    text: 'new RegExp(`WRITE\\\\s+(?<pid>\\\\d+)\\\\s+[0-9a-f]+:[0-9a-f]+:${inode}\\\\s`, "u")',
    examples: [/WRITE\s+(?<pid>\d+)\s+[0-9a-f]+:[0-9a-f]+:42\s/u]
  }
]
