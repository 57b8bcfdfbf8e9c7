// Markdown beside a tool is what the model is told about it; the build inlines it as text.
declare module "*.md?raw" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the shape that `?raw` imports have
  export default text;
}
