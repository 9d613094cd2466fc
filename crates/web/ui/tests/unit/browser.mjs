// What modules of the page look for when they are loaded, and Node does not have.
globalThis.navigator ??= { language: 'en-GB', languages: ['en-GB'] };
globalThis.location ??= { hash: '' };
globalThis.addEventListener ??= () => {};
