export const Page = () => <p>planted</p>;
