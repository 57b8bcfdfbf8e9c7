// Parts of the page, inlined as text by the build: files as they are, and the script bundled for browsers.
declare module "*.html?raw" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the shape that `?raw` imports have
  export default text;
}
declare module "*.css?raw" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the shape that `?raw` imports have
  export default text;
}
declare module "*?browser" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the shape that `?browser` imports have
  export default text;
}
