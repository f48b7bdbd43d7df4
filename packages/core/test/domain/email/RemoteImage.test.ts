import { describe, expect, it } from "vitest"
import { maxRemoteImages, rasterTypeOf, redirectOf, remoteImagesIn } from "../../../src/domain/email/RemoteImage.ts"

const bytes = (...parts: ReadonlyArray<string | number>): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : [part])))

describe("the remote images of a mail", () => {
  it("lists each address once, with its characters unescaped", () => {
    const html =
      '<p><img alt="a" data-remote-src="https://a.example/1.png?x=1&amp;y=2"><img src="cid:one">' +
      '<img data-remote-src="https://b.example/2.png"><img data-remote-src="https://a.example/1.png?x=1&amp;y=2"></p>'
    expect(remoteImagesIn(html)).toEqual(["https://a.example/1.png?x=1&y=2", "https://b.example/2.png"])
    expect(remoteImagesIn("<p>data-remote-src</p>")).toEqual([])
  })

  it("are limited in number", () => {
    const html = Array.from({ length: 300 }, (_, at) => `<img data-remote-src="https://a.example/${at}">`).join("")
    expect(remoteImagesIn(html)).toHaveLength(maxRemoteImages)
  })
})

describe("the type of an image", () => {
  it("is read from its first bytes", () => {
    expect(rasterTypeOf(bytes(0x89, "PNG\r\n"))).toBe("image/png")
    expect(rasterTypeOf(bytes(0xff, 0xd8, 0xff, 0xe0))).toBe("image/jpeg")
    expect(rasterTypeOf(bytes("GIF89a"))).toBe("image/gif")
    expect(rasterTypeOf(bytes("RIFF", 0, 0, 0, 0, "WEBP"))).toBe("image/webp")
    expect(rasterTypeOf(bytes(0, 0, 0, 0x1c, "ftypavif"))).toBe("image/avif")
  })

  it("is unknown for SVG, HTML and short contents", () => {
    for (const text of ["<svg xmlns='http://www.w3.org/2000/svg'/>", "<html>", "GIF", ""])
      expect(rasterTypeOf(bytes(text))).toBeNull()
  })
})

describe("a redirect", () => {
  it("leads to an absolute or relative address", () => {
    expect(redirectOf(302, "https://b.example/x", "https://a.example/y")).toBe("https://b.example/x")
    expect(redirectOf(301, "../z", "https://a.example/x/y")).toBe("https://a.example/z")
    expect(redirectOf(302, undefined, "https://a.example/")).toBeNull()
    expect(redirectOf(302, "https://[", "https://a.example/")).toBeNull()
    expect(redirectOf(404, "https://b.example/", "https://a.example/")).toBeNull()
  })
})
