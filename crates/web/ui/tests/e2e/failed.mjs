// A reporter for node's tests: the files in which something failed, one a line.
export default async function* failed(events) {
  const files = new Set();
  for await (const { type, data } of events) if (type === 'test:fail' && data.file) files.add(data.file);
  yield [...files].join('\n');
}
