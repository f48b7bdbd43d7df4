/** Encodes a folder name in modified UTF-7 (RFC 3501, section 5.1.3). */
export const toModifiedUtf7 = (name: string): string =>
  name.replaceAll("&", "&-").replaceAll(/[^ -~]+/gu, (run) => {
    const utf16 = Buffer.from(run, "utf16le").swap16()
    return `&${utf16.toString("base64").replaceAll("/", ",").replaceAll("=", "")}-`
  })

/** Decodes a folder name from modified UTF-7. */
export const fromModifiedUtf7 = (name: string): string =>
  name.replaceAll(/&([^-]*)-/gu, (_, run: string) =>
    run === "" ? "&" : Buffer.from(run.replaceAll(",", "/"), "base64").swap16().toString("utf16le")
  )
