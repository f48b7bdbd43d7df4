import type { StaticFile } from "../StaticFile.ts"

/** The document is empty. The console writes the mail into it, so no address contains a credential. */
const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Mail</title>
<style>body{margin:0;padding:8px;font:14px/1.45 system-ui,sans-serif;overflow-wrap:anywhere;contain:layout paint}img,table{max-width:100%}</style>
</head>
<body></body>
</html>
`

/**
 * Returns the policy of a mail. Mails have inline styles, so this document permits them; it permits no scripts and no
 * requests. Never add `allow-scripts`: together with `allow-same-origin` it ends the sandbox.
 */
const policyOf = (images: string): string =>
  [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src ${images}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox"
  ].join("; ")

const frameOf = (images: string): StaticFile => ({
  read: async () => Buffer.from(document),
  contentType: "text/html; charset=utf-8",
  headers: () => ({
    "content-security-policy": policyOf(images),
    "x-frame-options": "SAMEORIGIN",
    "x-dns-prefetch-control": "off"
  })
})

/** The documents that show mails. `images` also permits images of this server, which proxies remote ones. */
export const mailFrames = { blocked: frameOf("data:"), images: frameOf("data: 'self'") } as const
