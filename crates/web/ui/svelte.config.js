import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // Class names that are short and still differ.
    cssHash: ({ hash, filename }) => `s${hash(filename ?? '').slice(0, 4)}`,
  },
};
