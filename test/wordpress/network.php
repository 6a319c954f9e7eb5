<?php
/**
 * Gives the shop's network its second site, "Maple Street Music", at /second.
 *
 * Run by `site start` after setup.php: php network.php WORDPRESS-DIR HOME
 * Prints TOOLPRESS_TEST_SECOND_SITE, _USER and _PASSWORD lines once both sites answer.
 */

[ , $root, $home ] = $argv;

$_SERVER['HTTP_HOST']       = parse_url( $home, PHP_URL_HOST ) . ':' . parse_url( $home, PHP_URL_PORT );
$_SERVER['REQUEST_URI']     = parse_url( $home, PHP_URL_PATH ) . '/';
$_SERVER['REQUEST_METHOD']  = 'GET';
$_SERVER['REMOTE_ADDR']     = '127.0.0.1';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';

function fail( string $message ): int {
	fwrite( STDERR, "$message\n" );
	return 1;
}

/** Anything WordPress hands back, or the end of the set-up. */
function must( $value, string $what ) {
	if ( ! $value || is_wp_error( $value ) ) {
		exit( fail( "$what: " . ( is_wp_error( $value ) ? $value->get_error_message() : 'failed' ) ) );
	}
	return $value;
}

require "$root/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/admin.php';

add_filter( 'pre_http_request', static fn() => new WP_Error( 'offline' ) );

// WordPress keeps passwords for the network and roles for each site: this user has none on the first.
$user = must( wpmu_create_user( 'second', 'second', 'second@example.com' ), 'user' );
$site = must(
	wp_insert_site(
		array(
			'domain'  => $_SERVER['HTTP_HOST'],
			'path'    => $_SERVER['REQUEST_URI'] . 'second/',
			'title'   => 'Maple Street Music',
			'user_id' => get_user_by( 'login', 'admin' )->ID,
		)
	),
	'site'
);
must( add_user_to_blog( $site, $user, 'editor' ), 'editor' );

switch_to_blog( $site );
foreach ( get_posts( array( 'post_type' => 'any', 'post_status' => 'any', 'numberposts' => -1 ) ) as $post ) {
	wp_delete_post( $post->ID, true );
}
update_option( 'blogdescription', 'Records and sheet music' );
update_option( 'timezone_string', 'America/Toronto' );
foreach (
	array(
		'Vinyl Friday'        => array( '2025-03-07 09:00:00', 'A crate of jazz, one dollar each.' ),
		'A Piano by the Door' => array( '2025-05-02 09:00:00', 'Play it, if you wash your hands.' ),
	) as $title => [ $date, $text ]
) {
	must(
		wp_insert_post(
			array(
				'post_title'   => $title,
				'post_content' => "<!-- wp:paragraph -->\n<p>$text</p>\n<!-- /wp:paragraph -->",
				'post_excerpt' => $text,
				'post_status'  => 'publish',
				'post_author'  => $user,
				'post_date'    => $date,
			),
			true
		),
		$title
	);
}
$url = home_url();
restore_current_blog();

$created = must( WP_Application_Passwords::create_new_application_password( $user, array( 'name' => 'toolpress tests' ) ), 'application password' );
foreach ( array( 1, $site ) as $id ) {
	// Each site makes its rules at its first visit: made here they would be the main site's.
	update_blog_option( $id, 'rewrite_rules', '' );
	$rest = get_rest_url( $id );
	for ( $polls = 0; ! str_contains( ( @file_get_contents( $rest ) ? $http_response_header[0] : '' ), ' 200' ); $polls++ ) {
		$polls < 200 || exit( fail( "$rest does not answer 200: " . ( $http_response_header[0] ?? 'no connection' ) ) );
		usleep( 50000 );
	}
}
echo "TOOLPRESS_TEST_SECOND_SITE='$url'\n";
echo "TOOLPRESS_TEST_SECOND_USER='second'\n";
echo "TOOLPRESS_TEST_SECOND_PASSWORD='" . WP_Application_Passwords::chunk_password( $created[0] ) . "'\n";
