/** The theme of VitePress with the font of the console in the place of its own, which has Inter once more. */
import theme from 'vitepress/theme-without-fonts';
import '../../../web/inter.css';

export default theme;
