import type { Construction } from "./Expressions.ts"

/** An expression that may take more than linear time, because its input has a small limit. */
export interface Exception {
  readonly path: string
  /** The first characters of the expression's source. */
  readonly begins: string
  /** The limit of the input, and the code that enforces it. */
  readonly reason: string
}

/** All expressions that may take more than linear time. */
export const exceptions: ReadonlyArray<Exception> = [
  {
    path: "packages/core/src/domain/consent/ConsentRequest.ts",
    begins: String.raw`(?:^|(?<!\b(?:not|never|no)) )(?:(?:quiero`,
    reason: "maxReadLength: texts of more than 600 characters are not read."
  },
  {
    path: "packages/core/src/domain/classification/KeywordClassifier.ts",
    begins: String.raw`\s+\S*$`,
    reason: "summaryLength: it reads 139 characters of a line."
  },
  {
    path: "packages/connectors/src/oidc/StrictJson.ts",
    begins: '(?<text>"',
    reason: "JSON.parse has accepted the text before, so every string in it ends."
  }
]

/** A construction that runs after its module was loaded, with examples of the constructed sources. */
export interface LaterConstruction extends Omit<Construction, "line"> {
  readonly examples: ReadonlyArray<RegExp>
}

/** Expressions that contain parts known only at run time. */
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
